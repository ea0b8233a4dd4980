"""The verbs. One file each; a verb's file imports what it needs inside its functions, so that a verb starts fast."""
