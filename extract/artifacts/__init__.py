"""What one needs to test a paper's claims: code, data, weights, machines, people."""
