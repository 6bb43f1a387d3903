"""What the scripts share: Evertick's wire from the client's side, and what is built on it.

Python 3.11, standard library only. Not a client library for programs: those use any Redis client.
"""
