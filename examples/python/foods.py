"""Prints the foods that contain a text: python3 foods.py egg [http://localhost:3001]"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request


def search(service, text):
    """The foods as dictionaries. An unknown figure is None; fat_g is a string with exactly two decimals."""
    query = urllib.parse.urlencode({"q": text})
    try:
        with urllib.request.urlopen(f"{service}/api/food?{query}", timeout=10) as answer:
            found = json.load(answer)
    except urllib.error.HTTPError as refusal:
        found = json.load(refusal)
    # An error is an object with one sentence.
    if isinstance(found, dict):
        raise ValueError(found["error"])
    return found


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    service = sys.argv[2] if len(sys.argv) > 2 else "http://localhost:3001"
    try:
        foods = search(service, sys.argv[1])
    except (OSError, ValueError) as error:
        sys.exit(f"{service}: {error}")
    for food in foods:
        kcal = "–" if food["kcal"] is None else food["kcal"]
        print(f"{food['description']}: {kcal} kcal per 100 g")
