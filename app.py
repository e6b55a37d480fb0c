"""The Chalice application: registers blueprints and workers, nothing else."""

from chalicelib.api import features
from chalicelib.api.application import Application

app = Application(app_name="guanjun")

# What is not registered at the start comes with the first request for it.
app.load(features.at_start())
app.load_on_demand(features.by_path())

for worker in features.workers_at_start():
    app.register_blueprint(worker)
