"""The program of 掼军 (Guanjun): rules, store, gateways, services, api, workers. Arrows point downwards only."""
