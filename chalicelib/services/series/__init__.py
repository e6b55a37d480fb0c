"""赛事阶段: events of any kind played one after another as stages of one series; the next is drawn from the last."""
