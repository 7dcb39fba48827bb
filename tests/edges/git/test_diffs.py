"""Diffs as facts and as text, with true paths and kinds."""

from pathlib import Path

from harness.edges.files import StateFiles
from harness.edges.git import GitTrees
from harness.facts.places import FileDiff
from tests.edges.git.forge import Forge, git


def changed(forge: Forge, trees: GitTrees, files: dict[str, bytes | str]) -> dict[str, FileDiff]:
    base = forge.tip("refs/heads/trunk")
    head = forge.commit(files)
    trees.sync()
    diff = trees.diff(base, head)
    assert (diff.base, diff.head) == (base, head)
    return {file.path: file for file in diff.files}


def test_hunks_have_three_lines_of_context_and_exact_numbers(forge: Forge, trees: GitTrees) -> None:
    forge.commit({"f": "".join(f"{n}\n" for n in range(1, 21))})

    file = changed(forge, trees, {"f": "".join(f"{n}\n" for n in range(1, 21) if n != 10)})["f"]

    (hunk,) = file.hunks
    assert (hunk.old_start, hunk.old_count, hunk.new_start, hunk.new_count) == (7, 7, 7, 6)
    assert [tag for tag, _ in hunk.lines] == [" "] * 3 + ["-"] + [" "] * 3


def test_paths_of_every_kind_are_told_truly(forge: Forge, trees: GitTrees) -> None:
    (forge.clone / "caf\udce9.txt").write_bytes(b"x\n")
    names = ["naïve.txt", "x b/y.py", "od\td", 'a "q".py', "new\nline", " lead", "trail "]

    files = changed(forge, trees, dict.fromkeys(names, "x\n"))

    assert set(files) == {*names, "caf\\xe9.txt"}
    assert all(file.status == "added" and file.hunks for file in files.values())
    assert all(file.model_dump_json() for file in files.values())


def test_renames_modes_types_binaries_and_submodules_are_told(
    forge: Forge, trees: GitTrees
) -> None:
    long = "".join(f"line {n}\n" for n in range(30))
    forge.commit({"old name": long, "mode": "1\n", "type": "1\n", "with space.bin": b"\0\1"})
    (forge.clone / "old name").rename(forge.clone / "new name")
    (forge.clone / "mode").chmod(0o755)
    (forge.clone / "type").unlink()
    (forge.clone / "type").symlink_to("mode")
    base = forge.tip("refs/heads/trunk")
    forge.write({"new name": long + "more\n", "with space.bin": b"\0\2"})
    git(forge.clone, "add", "-A")
    git(forge.clone, "update-index", "--add", "--cacheinfo", f"160000,{base},sub")
    head = forge.push_index()
    trees.sync()

    files = {file.path: file for file in trees.diff(base, head).files}

    assert {path: file.status for path, file in files.items()} == {
        "new name": "renamed",
        "mode": "mode",
        "type": "type",
        "with space.bin": "modified",
        "sub": "added",
    }
    assert files["new name"].old_path == "old name"
    assert (files["mode"].old_mode, files["mode"].new_mode) == ("100644", "100755")
    assert [tag for hunk in files["type"].hunks for tag, _ in hunk.lines] == ["-", "+"]
    assert {path for path, file in files.items() if not file.shown} == {"with space.bin", "sub"}
    assert files["with space.bin"].binary
    assert files["sub"].submodule


def test_bytes_that_are_no_text_do_no_harm(forge: Forge, trees: GitTrees) -> None:
    files = changed(
        forge,
        trees,
        {
            "latin.txt": b"caf\xe9\n",
            "utf16.txt": "\ufeffa\n".encode("utf-16"),
            "nul.txt": b"a\0b\n",
            "cr.txt": b"a\rb\r\n",
            "pic.png": b"\x89PNG\r\n\x1a\n\0",
        },
    )

    assert {path for path, file in files.items() if file.binary} == {
        "utf16.txt",
        "nul.txt",
        "pic.png",
    }
    assert {path for path, file in files.items() if file.undecodable} == {"latin.txt"}
    assert files["latin.txt"].hunks[0].lines == (("+", "caf\ufffd"),)
    assert files["cr.txt"].hunks[0].lines == (("+", "a\rb\r"),)
    assert all(file.model_dump_json() for file in files.values())


def test_content_that_looks_like_a_diff_is_content(forge: Forge, trees: GitTrees) -> None:
    trap = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\nBinary files a and b differ\n"

    files = changed(forge, trees, {"trap.diff": trap, "z": "z\n"})

    assert set(files) == {"trap.diff", "z"}
    assert len(files["trap.diff"].hunks[0].lines) == 5
    assert not files["trap.diff"].binary


def test_attributes_of_the_change_hide_nothing(forge: Forge, trees: GitTrees) -> None:
    files = changed(
        forge, trees, {".gitattributes": "* -diff\n*.py binary\n", "evil.py": "bad()\n"}
    )

    assert files["evil.py"].hunks


def test_an_empty_file_and_no_newline_at_the_end_are_told(forge: Forge, trees: GitTrees) -> None:
    files = changed(forge, trees, {"empty": "", "bare": "x"})

    assert (files["empty"].status, files["empty"].hunks) == ("added", ())
    assert [line for hunk in files["bare"].hunks for line in hunk.lines] == [("+", "x")]


def test_the_same_commit_twice_has_no_difference(trees: GitTrees) -> None:
    tip = trees.tip("trunk")

    assert trees.diff(tip, tip).files == ()
    assert trees.diff_text(tip, tip) == ""


def test_the_text_shows_names_as_people_write_them_and_nothing_of_binaries(
    forge: Forge, trees: GitTrees
) -> None:
    base = trees.tip("trunk")
    head = forge.commit({"naïve.txt": b"caf\xe9\n", "mini.js": "y" * 9_000 + "\n", "b": b"\0"})
    trees.sync()

    text = trees.diff_text(base, head)

    assert "+++ b/naïve.txt" in text
    assert "y" * 9_000 in text
    assert "Binary files /dev/null and b/b differ" in text
    assert text.encode()


def test_a_patch_is_the_change_to_the_byte(forge: Forge, trees: GitTrees, tmp_path: Path) -> None:
    forge.commit(
        {"old": "a\n" * 40, "mode": "1\n", "crlf": b"\xef\xbb\xbfone\r\ntwo\r\n", "b": b"\0"}
    )
    base = forge.tip("refs/heads/trunk")
    (forge.clone / "old").rename(forge.clone / "new name")
    (forge.clone / "mode").chmod(0o755)
    head = forge.commit(
        {
            "crlf": b"\xef\xbb\xbfone\r\nTWO\r\n",
            "b": b"\0\1\2" * 999,
            "latin.txt": b"caf\xe9\n",
            "mini.js": "y" * 9_000,
            "naïve.txt": "",
        }
    )
    trees.sync()
    kept = StateFiles(tmp_path).keep("kept.patch", trees.patch(base, head))

    git(forge.clone, "checkout", "-q", "--detach", base)
    git(forge.clone, "apply", "--index", kept)

    assert git(forge.clone, "write-tree") == trees.tree_of(head)


def test_a_line_map_ignores_blanks(forge: Forge, trees: GitTrees) -> None:
    old = forge.commit({"f": "a\nb\nc\n"})
    new = forge.commit({"f": "\n\na\n    b\nC\n"})
    trees.sync()
    blobs = trees.blob(old, "f"), trees.blob(new, "f")

    (file,) = trees.line_map(*blobs).files

    assert [(hunk.old_start, hunk.new_start) for hunk in file.hunks] == [(3, 5)]
    assert trees.line_map(blobs[0], blobs[0]).files == ()


def test_a_diff_that_the_forge_would_refuse_as_too_large_is_read_whole(
    forge: Forge, trees: GitTrees
) -> None:
    """GitHub answers 406 to a diff of more than 300 files or 20,000 lines; nobody asks it."""
    text = "".join(f"x = {line}\n" for line in range(67))

    files = changed(forge, trees, {f"d{n % 7}/f{n}.py": text for n in range(301)})

    assert len(files) == 301
    assert sum(len(hunk.lines) for file in files.values() for hunk in file.hunks) == 301 * 67
