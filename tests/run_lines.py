"""The test format of lit.cfg.py; a module of its own, so that lit's workers find it."""

import lit.formats


class FilesWithRunLines(lit.formats.ShTest):
    """Other files of these kinds are inputs of tests."""

    def getTestsForPath(self, testSuite, path_in_suite, litConfig, localConfig):
        with open(testSuite.getSourcePath(path_in_suite), "rb") as file:
            if b"// RUN:" not in file.read():
                return []
        return super().getTestsForPath(testSuite, path_in_suite, litConfig, localConfig)
