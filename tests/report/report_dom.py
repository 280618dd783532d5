"""A page read back: elements as a tree, by the standard library's parser; unbalanced tags are an error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "input", "link"}


@dataclass
class Element:
    """An element: its tag, attributes, children (elements and texts)."""

    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())

    @property
    def text(self) -> str:
        """All text inside, white space made single."""
        return " ".join(self.raw.split())

    @property
    def raw(self) -> str:
        return "".join(child if isinstance(child, str) else child.raw for child in self.children)

    def walk(self) -> Iterator[Element]:
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def all(self, tag: str = "", klass: str = "") -> list[Element]:
        """All elements inside of that tag and class, in order."""
        return [e for e in self.walk() if (not tag or e.tag == tag) and (not klass or klass in e.classes)]

    def one(self, tag: str = "", klass: str = "") -> Element:
        found = self.all(tag, klass)
        assert found, f"no <{tag or '*'} class={klass or '*'}>"
        return found[0]

    def elements(self, tag: str = "") -> list[Element]:
        """The direct children that are elements."""
        return [child for child in self.children if isinstance(child, Element) and (not tag or child.tag == tag)]

    def by_id(self, name: str) -> Element:
        return next(element for element in self.walk() if element.attributes.get("id") == name)


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("#document", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parse(page: str) -> Element:
    """Return the document's root."""
    builder = _Builder()
    builder.feed(page)
    builder.close()
    assert builder.open == [builder.root], f"not closed: {[element.tag for element in builder.open[1:]]}"
    return builder.root
