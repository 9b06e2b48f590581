"""Drafts to claims: the checks every claim passes before it is published."""
