"""The watch stack: who hears of what. Emulators ring no alarms, so the template itself is read."""

from __future__ import annotations

import json
import re
from typing import Any, get_args

import pytest

from chalicelib.gateways.metrics import Figure
from infra.deploy.templates import WATCH_TEMPLATE
from infra.launcher.paths import ROOT
from infra.local.templates import read_template
from tests.infra.test_app_template import FUNCTIONS, READERS
from tests.support.templates import Template, of_type


@pytest.fixture(scope="module")
def watch() -> Template:
    return read_template(WATCH_TEMPLATE)


def alarms(watch: Template) -> dict[str, Any]:
    return of_type(watch, "AWS::CloudWatch::Alarm")


def test_its_parameters_are_outputs_of_the_other_stacks(
    watch: Template, app_template: Template, data_template: Template
) -> None:
    options = {"Stage", "AlarmEmail", "MonthlyBudget"}
    assert set(watch["Parameters"]) - options <= set(app_template["Outputs"]) | set(data_template["Outputs"])


def test_every_alarm_is_sent_to_the_topic_and_stands_in_the_runbook(watch: Template) -> None:
    runbook = (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8")
    sections = set(re.findall(r"^### (\w+)", runbook, re.MULTILINE))
    named = set()
    for name, alarm in alarms(watch).items():
        assert alarm["AlarmActions"] == [{"Ref": "AlarmTopic"}], name
        (section,) = re.findall(r"\(runbook, (\w+)\)$", alarm["AlarmDescription"])
        named.add(section)
    assert named == sections


def test_an_idle_month_pays_for_two_alarms(watch: Template) -> None:
    """Ten alarms and three dashboards are free in an account; each further alarm is 0.10 dollars a month."""
    assert len(alarms(watch)) <= 12
    assert len(of_type(watch, "AWS::CloudWatch::Dashboard")) == 1


@pytest.mark.parametrize("reader", READERS)
def test_somebody_hears_of_a_reader_behind_and_of_a_batch_given_up(
    watch: Template, app_template: Template, plain_template: Template, reader: str
) -> None:
    behind, gave_up = alarms(watch)[f"{reader}FallsBehind"], alarms(watch)[f"{reader}GaveUp"]
    assert behind["MetricName"] == "IteratorAge"
    assert behind["Dimensions"] == [{"Name": "FunctionName", "Value": {"Ref": f"{reader}Function"}}]
    assert app_template["Outputs"][f"{reader}Function"]["Value"] == {"Ref": reader}
    assert gave_up["Dimensions"] == [{"Name": "EventSourceMappingUUID", "Value": {"Ref": f"{reader}Source"}}]
    mapping = app_template["Outputs"][f"{reader}Source"]["Value"]["Ref"]
    source = plain_template["Resources"][mapping]["Properties"]
    assert source["FunctionName"] == {"Ref": reader}
    # Without it AWS does not count what a source gave up.
    assert source["MetricsConfig"] == {"Metrics": ["EventCount"]}


def test_the_api_is_watched_by_the_name_it_has(watch: Template, app_template: Template) -> None:
    assert alarms(watch)["ApiFails"]["Dimensions"] == [{"Name": "ApiName", "Value": {"Ref": "ApiName"}}]
    name = app_template["Outputs"]["ApiName"]["Value"]
    assert app_template["Resources"]["RestAPI"]["Properties"]["Name"] == name == {"Fn::Sub": "guanjun-${Stage}"}


def test_errors_in_the_log_of_every_function_are_counted(watch: Template, app_template: Template) -> None:
    filters = of_type(watch, "AWS::Logs::MetricFilter").values()
    watched = {app_template["Outputs"][each["LogGroupName"]["Ref"]]["Value"]["Ref"] for each in filters}
    assert watched == {f"{logical}Log" for logical in FUNCTIONS.values()}
    (metric,) = {json.dumps(each["MetricTransformations"]) for each in filters}
    assert json.loads(metric)[0]["MetricName"] == alarms(watch)["ErrorsLogged"]["MetricName"]


def test_a_figure_that_is_watched_is_one_that_the_program_counts(watch: Template) -> None:
    figures = set(get_args(Figure))
    ours = [alarm for alarm in alarms(watch).values() if alarm["Namespace"] == "Guanjun"]
    assert {alarm["MetricName"] for alarm in ours if isinstance(alarm["MetricName"], str)} <= figures
    for alarm in ours:
        if isinstance(alarm["MetricName"], str):
            names = [dimension["Name"] for dimension in alarm["Dimensions"]]
            assert names == ["service", "stage"]
    (dashboard,) = of_type(watch, "AWS::CloudWatch::Dashboard").values()
    text = dashboard["DashboardBody"]["Fn::Sub"]
    assert set(re.findall(r'\["Guanjun", "(\w+)"', text)) <= figures


def test_the_dashboard_is_json_about_things_that_are_there(watch: Template) -> None:
    (dashboard,) = of_type(watch, "AWS::CloudWatch::Dashboard").values()
    text = dashboard["DashboardBody"]["Fn::Sub"]
    names = {name for name in re.findall(r"\$\{([\w:]+)\}", text) if not name.startswith("AWS::")}
    assert names <= set(watch["Parameters"])
    widgets = json.loads(re.sub(r"\$\{[\w:]+\}", "x", text))["widgets"]
    assert len({(widget["x"], widget["y"]) for widget in widgets}) == len(widgets)


def test_every_reader_stands_on_the_dashboard(watch: Template) -> None:
    (dashboard,) = of_type(watch, "AWS::CloudWatch::Dashboard").values()
    widgets = {
        widget["properties"]["title"]: json.dumps(widget["properties"]["metrics"])
        for widget in json.loads(re.sub(r"\$\{(\w+(?:::\w+)?)\}", r"\1", dashboard["DashboardBody"]["Fn::Sub"]))[
            "widgets"
        ]
    }
    for reader in READERS:
        assert f"{reader}Function" in widgets["Behind the streams, milliseconds"]
        assert f"{reader}Function" in widgets["Functions: errors"]
        assert f"{reader}Source" in widgets["Batches given up"]
    assert "JobsFunction" in widgets["Jobs: milliseconds a step"]


def test_the_budget_can_be_switched_off_and_rings_before_it_is_spent(watch: Template) -> None:
    budget = watch["Resources"]["Budget"]
    assert budget["Condition"] == "HasBudget"
    shares = [each["Notification"] for each in budget["Properties"]["NotificationsWithSubscribers"]]
    assert {"NotificationType": "ACTUAL", "ComparisonOperator": "GREATER_THAN", "Threshold": 80} in shares
