"""The Chalice application: registers blueprints and workers, nothing else."""

from chalicelib.api import (
    accounts,
    adjustments,
    administration,
    calls,
    club_list,
    display,
    duplicate,
    entries,
    events,
    health,
    jobs,
    linked_events,
    links,
    members,
    players,
    privacy,
    public_list,
    registration,
    rehearsal,
    rounds,
    schemes,
    scoring,
    standings,
)
from chalicelib.api.application import Application
from chalicelib.workers import club_ranks as club_ranks_worker
from chalicelib.workers import jobs as jobs_worker
from chalicelib.workers import schedules
from chalicelib.workers import standings as standings_worker

app = Application(app_name="guanjun")

for feature in (
    health,
    accounts,
    administration,
    club_list,
    duplicate,
    events,
    members,
    linked_events,
    links,
    entries,
    jobs,
    registration,
    rounds,
    schemes,
    scoring,
    rehearsal,
    calls,
    adjustments,
    players,
    privacy,
    public_list,
    standings,
    display,
):
    app.register_blueprint(feature.blueprint)

app.register_blueprint(standings_worker.blueprint)
app.register_blueprint(club_ranks_worker.blueprint)
app.register_blueprint(jobs_worker.blueprint)
app.register_blueprint(schedules.blueprint)
