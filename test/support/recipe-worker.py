"""The recipe as it is written, with the client that it is written for: who creates the key commits, all others suppress.

Arguments: port, facility, scanner, NDC, window index, then the lots in the order in which they are scanned. Before each ten of
them it waits for an element in the list `turns`. Prints `won <lot>` or `lost <lot>` for each.
"""

import hashlib
import sys

import redis

port, facility, scanner, ndc, window_index, *lots = sys.argv[1:]
claims = redis.Redis(host="127.0.0.1", port=int(port))
print("ready", flush=True)
for number, lot in enumerate(lots):
    if number % 10 == 0:
        claims.blpop("turns", 60)
    text = f"{facility}|{scanner}|{ndc}|{lot}|1|dispense|{window_index}"
    key = "scan:idem:" + hashlib.sha256(text.encode()).hexdigest()
    won = claims.set(key, "1", nx=True, px=60_000)
    print("won" if won else "lost", lot, flush=True)
