"""Packed texts are unpacked exactly; what was not packed is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grpo_symbolic.cache.packed import packed, unpacked


@given(st.text(st.characters(exclude_categories=[])))
def test_a_text_is_unpacked_as_it_was(text: str) -> None:
    letters = packed(text)
    assert unpacked(letters) == text
    assert json.dumps(letters) == f'"{letters}"'


@pytest.mark.parametrize("letters", ["", "nothing packed", "AAAA", packed("a text")[:-8]])
def test_what_was_not_packed_is_refused(letters: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        unpacked(letters)
