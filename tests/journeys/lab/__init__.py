"""A laboratory for journeys: the real client of a runtime, a scripted model, and no network.

``Lab`` gives a client a throw-away home, projects, and a model on 127.0.0.1 that answers from a
``Script``. A wire protocol is one module that implements ``Wire``; a client is one module that knows
how to start it; several clients may live in one lab. What reached the model is asked with ``find``,
``requests`` and ``broken_prefix``. ``rehearsal`` records what clients tell hooks, for other tests.
"""
