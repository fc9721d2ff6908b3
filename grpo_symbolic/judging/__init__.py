"""The only place that combines evidence: verdicts, the ledger, results as data, mutants."""
