"""Loads a file with Beancount and prints every account's balances and dates, and the links of all transactions.

    beancount_balances.py BOOKS.beancount
"""

import json
import sys

from beancount import loader
from beancount.core import data, realization
from beancount.parser import printer

entries, errors, options = loader.load_file(sys.argv[1])
printer.print_errors(errors, file=sys.stderr)

balances = {}
for account in realization.iter_children(realization.realize(entries), leaf_only=True):
    balances[account.account] = {
        position.units.currency: str(position.units.number) for position in account.balance
    }
opened = {entry.account: {**entry.meta, "opened": str(entry.date)} for entry in entries if isinstance(entry, data.Open)}
print(
    json.dumps(
        {
            "balances": balances,
            "names": {account: meta.get("name") for account, meta in opened.items()},
            "opened": {account: meta["opened"] for account, meta in opened.items()},
            "closed": {entry.account: str(entry.date) for entry in entries if isinstance(entry, data.Close)},
            "links": sorted(link for entry in data.filter_txns(entries) for link in entry.links),
            "narrations": sorted(entry.narration for entry in data.filter_txns(entries)),
            "duplicates": sum(type(error).__name__ == "CompareError" for error in errors),
        }
    )
)
sys.exit(1 if errors else 0)
