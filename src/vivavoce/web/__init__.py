"""The pages of `vivavoce serve`: server-rendered from the same trace objects that the command line prints."""
