"""Why a sample variance is divided by one less than the sample."""
