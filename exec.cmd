@rem The shells of other systems have this: with it, the scripts "start" and "dev" of package.json pass signals on.
@%*
