"""Bad input, as the user meets it: one line that says what is wrong and what to do about it."""


class BadInputError(Exception):
    """Ends the command with exit code 2 and the line `heddle: WHAT: what to do`."""

    def __init__(self, what: str, advice: str) -> None:
        super().__init__(f"{what}: {advice}")
        self.what = what
        self.advice = advice
