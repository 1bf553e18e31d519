"""Where events come from: growing files, folders of files, standard input."""
