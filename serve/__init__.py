"""The front ends, and the one service that composes the rest."""
