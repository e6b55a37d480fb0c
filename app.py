"""The Chalice application: registers blueprints and workers, nothing else."""

from chalicelib.api.application import Application
from chalicelib.api.features import at_start, on_demand

app = Application(app_name="guanjun", on_demand=on_demand())

for blueprint in at_start():
    app.register_blueprint(blueprint)
