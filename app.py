"""The Chalice application: registers blueprints and workers, nothing else."""

import os

from chalicelib.api import features
from chalicelib.api.application import Application

app = Application(app_name="guanjun")

if "AWS_LAMBDA_FUNCTION_NAME" in os.environ:
    # Each of the other functions is imported by its own name; the API's routes come with the first request for them.
    app.load_on_demand(features.by_path())
else:
    from chalicelib.workers import club_ranks, jobs, schedules, standings

    app.load()
    for worker in (standings, club_ranks, jobs, schedules):
        app.register_blueprint(worker.blueprint)
