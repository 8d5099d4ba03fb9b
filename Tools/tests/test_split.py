"""Runs `Tools/split` in a copy of the nested packages. `.ci/run by_url` builds what it writes."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
URL = "https://git.example.com/team/ActorDI"
PATH_DEPENDENCY = '.package(name: "ActorDI", path: "..")'


class SplitTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = Path(folder.name)
        self.clone = self.work / "ActorDI"
        self.clone.mkdir()
        shutil.copy(ROOT / "LICENSE", self.clone)
        (self.clone / "Tools").mkdir()
        shutil.copy(ROOT / "Tools/split", self.clone / "Tools")
        for package in ("Macros", "Server"):
            shutil.copytree(ROOT / package, self.clone / package, ignore=shutil.ignore_patterns(".build"))

    def split(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [self.clone / "Tools/split", *arguments]
        return subprocess.run(command, cwd=self.work, text=True, capture_output=True, check=False)

    def tree(self, package: str, url: str = URL, version: str = "1.0.0") -> Path:
        """A tree in the folder `Split`."""
        result = self.split(package, url, version, "Split")
        self.assertEqual((result.returncode, result.stdout + result.stderr), (0, ""))
        return self.work / "Split"

    def refused(self, message: str, *arguments: str | Path, status: int = 1) -> None:
        """Checks that the tool refuses the arguments, and changes no file."""
        before = sorted(self.work.rglob("*"))
        result = self.split(*arguments)
        self.assertEqual(result.returncode, status)
        self.assertRegex(result.stderr, message)
        self.assertNotIn("Traceback", result.stderr)
        self.assertEqual(sorted(self.work.rglob("*")), before)

    def test_the_tree_has_the_sources_and_tests_of_the_package(self) -> None:
        (self.clone / "Server/Sources/.DS_Store").touch()
        tree = self.tree("Server")
        parts = {".gitignore", "LICENSE", "Package.swift", "README.md", "Sources", "Tests"}
        self.assertEqual({path.name for path in tree.iterdir()}, parts)
        for part in ("Sources", "Tests"):
            here, there = [
                {path.relative_to(package): path.read_text() for path in (package / part).rglob("*.swift")}
                for package in (tree, ROOT / "Server")
            ]
            self.assertEqual(here, there)
        self.assertEqual(list(tree.rglob(".DS_Store")), [])
        self.assertEqual((tree / "LICENSE").read_text(), (ROOT / "LICENSE").read_text())
        self.assertEqual([path.name for path in self.work.iterdir() if path.name.startswith(".")], [])

    def test_the_manifest_depends_on_the_library_by_url(self) -> None:
        manifest = (self.tree("Macros", URL + "-fork.git") / "Package.swift").read_text()
        expected = (
            (ROOT / "Macros/Package.swift")
            .read_text()
            .replace(PATH_DEPENDENCY, f'.package(url: "{URL}-fork.git", from: "1.0.0")')
            .replace('package: "ActorDI"', 'package: "ActorDI-fork"')
        )
        self.assertEqual(manifest, expected)
        self.assertIn(".package(url: ", manifest)
        self.assertIn('package: "ActorDI-fork"', manifest)

    def test_a_minor_version_before_1_0_may_break_sources(self) -> None:
        manifest = (self.tree("Macros", version="0.9.0-beta.1") / "Package.swift").read_text()
        self.assertIn(f'.package(url: "{URL}", .upToNextMinor(from: "0.9.0-beta.1"))', manifest)

    def test_urls(self) -> None:
        for url, name, beside in [
            ("https://host/a/ActorDI/", "ActorDI", "https://host/a/Split"),
            ("git@host:a/di.git", "di", "git@host:a/Split.git"),
            ("git@host:di", "di", "git@host:Split"),
            ("ssh://git@host:22/a/b.c.git", "b.c", "ssh://git@host:22/a/Split.git"),
            ("file:///ActorDI", "ActorDI", "file:///Split"),
        ]:
            with self.subTest(url):
                tree = self.tree("Macros", url)
                self.assertIn(f'package: "{name}"', (tree / "Package.swift").read_text())
                read_me = (tree / "README.md").read_text()
                self.assertIn(f'.package(url: "{beside}", from: "1.0.0")', read_me)
                self.assertIn(f'.product(name: "ActorDI", package: "{name}")', read_me)
                self.assertIn('.product(name: "ActorDIMacros", package: "Split")', read_me)
                shutil.rmtree(tree)

    def test_links_lead_to_the_library_or_stay_in_the_tree(self) -> None:
        original = self.clone / "Server/README.md"
        links = "[a](Sources/A.swift) [b](#a-server) [c](https://c.example) [d](../Benchmarks.md#d) [e](Tools/e) [f](LICENSE)"
        original.write_text(original.read_text() + links)
        base = f"{URL}/blob/1.0.0"
        kept = "[a](Sources/A.swift) [b](#a-server) [c](https://c.example) "
        moved = f"[d]({base}/Benchmarks.md#d) [e]({base}/Server/Tools/e) [f](LICENSE)"
        self.assertTrue((self.tree("Server", URL + ".git") / "README.md").read_text().endswith(kept + moved))
        shutil.rmtree(self.work / "Split")
        # An address of another kind shows no page.
        read_me = (self.tree("Server", "git@git.example.com:team/ActorDI.git") / "README.md").read_text()
        self.assertTrue(read_me.endswith(kept + "d e [f](LICENSE)"))

    def test_no_link_of_the_packages_is_left_out(self) -> None:
        for package in ("Macros", "Server"):
            tree = self.tree(package)
            read_me = (tree / "README.md").read_text()
            for path in re.findall(r"\]\(([^)#\s]+)", read_me):
                if not path.startswith("https://"):
                    self.assertTrue((tree / path).exists(), path)
                elif path.startswith(f"{URL}/blob/1.0.0/"):
                    self.assertTrue((ROOT / path.removeprefix(f"{URL}/blob/1.0.0/")).exists(), path)
            self.assertNotIn("git.example.com:", read_me)
            self.assertNotIn("Vendor", read_me)
            shutil.rmtree(tree)

    def test_a_clone_without_files_is_an_empty_folder(self) -> None:
        git = self.work / "Split/.git"
        git.mkdir(parents=True)
        (git / "HEAD").write_text("ref: refs/heads/main\n")
        self.assertTrue((self.tree("Macros") / "Package.swift").is_file())
        self.assertEqual((git / "HEAD").read_text(), "ref: refs/heads/main\n")

    def test_arguments_are_checked(self) -> None:
        self.refused("arguments are required: package, url, version, folder", status=2)
        self.refused("arguments are required: folder", "Macros", URL, "1.0.0", status=2)
        self.refused("invalid choice: 'Fuzz'", "Fuzz", URL, "1.0.0", "Split", status=2)
        for version in ("1.0", "v1.0.0", "01.0.0", "1.0.0-01", "1.0.0-", "main", "1.0.0\n"):
            self.refused(re.escape(f"{version!r} is not a semantic version"), "Macros", URL, version, "Split", status=2)
        for url in ("../ActorDI", "/ActorDI", "https://", "https://a b/ActorDI", 'https://host/"', "host:x", "ActorDI"):
            self.refused("is not the URL of a repository", "Macros", url, "1.0.0", "Split", status=2)

    def test_a_folder_with_files_is_refused(self) -> None:
        (self.work / "Split").mkdir()
        (self.work / "Split/file").touch()
        (self.work / "file").touch()
        self.refused("Split is not empty", "Macros", URL, "1.0.0", "Split")
        self.refused("file is not empty", "Macros", URL, "1.0.0", "file")
        self.refused("there is no folder .*/missing", "Macros", URL, "1.0.0", "missing/Split")
        self.refused("a folder of the package itself", "Macros", URL, "1.0.0", "ActorDI/Macros/Sources/Split")

    def test_an_unexpected_package_is_refused(self) -> None:
        path = self.clone / "Macros/Package.swift"
        manifest = path.read_text()
        for changed, count in [("", 0), (PATH_DEPENDENCY + ",\n    " + PATH_DEPENDENCY, 2)]:
            path.write_text(manifest.replace(PATH_DEPENDENCY, changed))
            self.refused(
                f"the manifest must contain .* once, but contains it {count} times", "Macros", URL, "1.0.0", "Split"
            )
        path.write_text(manifest)
        read_me = self.clone / "Macros/README.md"
        read_me.write_text(read_me.read_text().replace("## Use it", "## Usage"))
        self.refused('the README must contain a section "Use it" once', "Macros", URL, "1.0.0", "Split")
        shutil.rmtree(self.clone / "Server/Tests")
        self.refused("No such file", "Server", URL, "1.0.0", "Split")


if __name__ == "__main__":
    unittest.main()
