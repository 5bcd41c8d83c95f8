/** The package's version; the build puts it in. */
declare const ROOROO_VERSION: string;
