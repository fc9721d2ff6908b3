"""One result or some claims for use elsewhere: in a paper, on a page, in a discussion, in a program."""
