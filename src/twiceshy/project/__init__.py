"""Project memory: pages, tasks, handoffs, diary, notebook, reflection, audit."""
