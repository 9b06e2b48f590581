"""What one needs to test a paper's claims: code, data, weights, machines, people."""

from __future__ import annotations

from claimdex.claim import Artifact
from claimdex.extract.artifacts.artifact_code import own_code, software_of
from claimdex.extract.artifacts.artifact_data import data_of
from claimdex.extract.artifacts.artifact_models import apis_of, checkpoints_of, environments_of, human_work_of
from claimdex.extract.artifacts.artifact_places import Found, Links, places
from claimdex.extract.artifacts.artifact_release import released_of
from claimdex.extract.artifacts.hardware import hardware_of
from claimdex.extract.artifacts.known_artifacts import key
from claimdex.paper import Paper
from claimdex.text import sha256


def find_artifacts(paper: Paper) -> tuple[Artifact, ...]:
    """Artifacts named in the visible text, in the order of the pages, each with the words that name it.

    References, acknowledgements and hidden text are never read. An artifact's id depends on its
    kind and name only.
    """
    where, links = places(paper), Links(paper)
    made = released_of(where, links)
    own = own_code(paper, where, links)
    weights = checkpoints_of(where, links)
    found = [
        *made,
        *own,
        *data_of(paper, where, links),
        *weights,
        *software_of(where, links, [*own, *weights]),
        *apis_of(where),
        *environments_of(where),
        *hardware_of(where),
        *human_work_of(where),
    ]
    order = {passage.id: at for at, passage in enumerate(paper.passages)}
    found.sort(key=lambda f: (order[f.place.passage.id], f.place.start, f.kind, f.name))
    mine = {key(f.name) for f in made}
    kept: dict[str, Artifact] = {}
    for item in found:
        if item not in made and key(item.name) in mine:
            continue  # said better where the paper introduces it
        artifact = _artifact(item)
        kept.setdefault(artifact.id, artifact)
    return tuple(kept.values())


def _artifact(found: Found) -> Artifact:
    digest = sha256(f"{found.kind.value}\x1f{key(found.name)}")
    return Artifact(
        id=f"a{digest[:6]}",
        kind=found.kind,
        name=found.name,
        url=found.url,
        availability=found.availability,
        evidence=found.place.evidence(),
    )
