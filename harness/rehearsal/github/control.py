"""The control endpoint: the clock, the faults and the people, for other processes.

GET  /_rehearsal/clock                  {"now": "..."}: asked for, time moves on by a millisecond
POST /_rehearsal/clock {"seconds": n}   wait n seconds; answers at once
GET  /_rehearsal/faults                 what is switched on
POST /_rehearsal/faults {"kind": ...}   switch a fault on
DELETE /_rehearsal/faults               switch all off
POST /_rehearsal/people/VERB {...}      a person's act; answers {"made": ...}
GET  /_rehearsal/writes                 every write that reached its route, in order
GET  /_rehearsal/state                  what can be seen on the forge
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from harness.rehearsal.github.answers import Json, Refusal
from harness.rehearsal.github.faults import Fault
from harness.rehearsal.github.handling import Handling, Request, Response
from harness.rehearsal.github.people import People
from harness.rehearsal.github.picture import picture

PREFIX = "/_rehearsal/"
GLANCE = 0.001  # rehearsal seconds that looking at the clock takes


def control(handling: Handling, people: People, request: Request) -> Response:
    """Answer a request of the control endpoint."""
    try:
        status, payload = 200, _answer(handling, people, request)
    except Refusal as refusal:
        status, payload = refusal.status, refusal.payload
    except (LookupError, TypeError, ValueError) as error:
        status, payload = 400, {"message": f"{type(error).__name__}: {error}"}
    body = json.dumps(payload).encode()
    return Response(status, (("Content-Type", "application/json"),), body)


def _answer(handling: Handling, people: People, request: Request) -> Json:
    given: Any = json.loads(request.body) if request.body else {}
    what, _, rest = request.path.removeprefix(PREFIX).partition("/")
    with handling.forge.lock:
        match (request.method, what):
            case ("GET", "clock"):
                handling.pass_time(GLANCE)
                return {"now": handling.forge.now.isoformat()}
            case ("POST", "clock"):
                handling.pass_time(float(given["seconds"]))
                return {"now": handling.forge.now.isoformat()}
            case ("GET", "faults"):
                return {"faults": handling.faults.listed()}
            case ("POST", "faults"):
                return handling.faults.switch_on(_fault(given)).told()
            case ("DELETE", "faults"):
                handling.faults.switch_off()
                return {"faults": []}
            case ("POST", "people"):
                return {"made": _act(people, rest, given)}
            case ("GET", "writes"):
                return {"writes": handling.writes}
            case ("GET", "state"):
                return picture(handling.forge)
            case _:
                raise Refusal(404, f"no such control: {request.method} {request.path}")


def _fault(given: Json) -> Fault:
    unknown = set(given) - {field.name for field in fields(Fault)}
    if unknown:
        raise ValueError(f"unknown keys of a fault: {', '.join(sorted(unknown))}")
    return Fault(**given)


def _act(people: People, verb: str, given: Json) -> Any:
    act = getattr(people, verb, None)
    if not getattr(act, "is_deed", False):
        raise Refusal(404, f"people do not {verb}")
    assert callable(act)
    return act(**given)
