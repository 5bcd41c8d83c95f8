/** The package's version, inserted by the build. */
declare const ROOROO_VERSION: string;
