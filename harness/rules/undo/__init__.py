"""Taking back what a run wrote, from the outbox's own rows and what the forge says now.

Only what is still as we left it is taken back. What a person touched since is left and told, and
so is what no write of ours can take back. A pair: `wanted` says what has to be read of the forge,
`plan_undo` decides.
"""

from harness.rules.undo.over import branches_given_up, counts_as_work, is_over
from harness.rules.undo.plan import plan_undo, same_verdict, wanted

__all__ = ["branches_given_up", "counts_as_work", "is_over", "plan_undo", "same_verdict", "wanted"]
