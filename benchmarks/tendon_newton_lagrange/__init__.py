"""Section VIII of the paper on tendon robots [TendonRobots2025]: scenarios A to E."""
