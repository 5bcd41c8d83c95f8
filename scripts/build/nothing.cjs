// Stands for the packages that a bundle leaves out.
