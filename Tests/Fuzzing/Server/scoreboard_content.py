"""The rows of the screens `scoreboards` and `scoreboard`."""

from loading import action
from shapes import counted


def amount(things, name: str) -> str:
    return f"no {name}" if not things else "one" if len(things) == 1 else "several"


def player_count(board: dict) -> dict:
    count = len(board["players"])
    return {"playerCount": count, "playerCountText": counted(count, "player")}


def list_content(boards) -> dict:
    rows: list = [{"id": "scoreboards/header", "type": "scoreboardsHeader", "text": "Scoreboards"}]
    for board in boards:
        row = {"id": f"board/{board['id']}", "type": "scoreboard", "title": board["title"]}
        row |= {"to": f"scoreboard/{board['id']}", **player_count(board)}
        row["action"] = action("Remove", type="removeBoard", board=board["id"])
        if board["players"]:
            leader = max(board["players"], key=lambda player: player["score"])
            row["leader"] = {"name": leader["name"], "score": leader["score"]}
            row["leaderText"] = f"{leader['name']} leads with {leader['score']:,}"
        rows.append(row)
    if not boards:
        text = "No scoreboards yet"
        rows.append({"id": "scoreboards/empty", "type": "scoreboardsEmpty", "text": text})
    states = {"scoreboards": amount(boards, "boards")}
    return {"states": states, "sections": [{"id": "scoreboards", "rows": rows}]}


def board_content(board: dict) -> dict:
    header: dict = {"id": "scoreboard/header", "type": "scoreboardHeader", "title": board["title"]}
    header |= player_count(board)
    scores = sorted((player["score"] for player in board["players"]), reverse=True)
    ranks: dict = {}
    for place, score in enumerate(scores):
        ranks.setdefault(score, place + 1)
    rows: list = [
        {
            **player,
            "id": f"player/{player['id']}",
            "type": "player",
            "scoreText": f"{player['score']:,}",
            "rank": ranks[player["score"]],
            "rankText": f"Rank {ranks[player['score']]:,}",
            "action": action("+1", type="adjustScore", player=player["id"], by=1),
        }
        for player in board["players"]
    ]
    if not rows:
        rows = [{"id": "players/empty", "type": "playersEmpty", "text": "No players yet"}]
    sections = [{"id": "scoreboard", "rows": [header]}, {"id": "players", "rows": rows}]
    return {"states": {"scoreboard": amount(board["players"], "players")}, "sections": sections}
