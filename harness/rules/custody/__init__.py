"""Who acts next on an item: the state machine of custody.

    CheckBase ─ Implement ─┬─ Abandon (declined, no change)
                           └─ Commit ─ Check ─┬─ FixCheck ─ Commit ...
                                              └─ Push ─ Open ─ Review ─┬─ Same
                     ┌───────────────────────────────────────────────┤
                     │ blocking, in scope                              │ nothing open
                 FixOwn | Respond ─┬─ (HEAD moved) Commit ─ Check ─ Push ─ Review (rules on claims)
                                   └─ (it did not) Rebut ─────────────┤
                                                                       AwaitChecks ─ Approve ─ Merge

Level-triggered: nothing is remembered between steps but what the store, git and the forge say.
An answer that was paid for and not yet recorded is recorded first; changes that were left and not
yet committed are committed first. Nothing is approved over the word of a person with write access:
a review that was not shown it is made again, and whoever asked for changes takes that back. The
text of the issue is such a word. At every point: a closed pull request or a label that says so ends
it, a text that nobody allowed parks it, a pull request turned to another base or a called person
stops it, a moved base may update it, an agent without a valid answer makes it wait. A change of
policy or CI goes to a person before it is approved.
"""

from harness.rules.custody.looking import asking_again, is_over, may_ask_again, uncalled
from harness.rules.custody.order import next_step
from harness.rules.custody.stops import elsewhere
from harness.rules.custody.views import (
    HARNESS,
    REVIEWS,
    author,
    blockers,
    is_outdated,
    is_since_person,
    is_unanswered,
    other,
    red_of_forge,
    review_of_head,
    reviewer,
    unheard,
    was_rewritten,
)

__all__ = [
    "HARNESS",
    "REVIEWS",
    "asking_again",
    "author",
    "blockers",
    "elsewhere",
    "is_outdated",
    "is_over",
    "is_since_person",
    "is_unanswered",
    "may_ask_again",
    "next_step",
    "other",
    "red_of_forge",
    "review_of_head",
    "reviewer",
    "uncalled",
    "unheard",
    "was_rewritten",
]
