const IMPORT_OR_EXPORT = /^\s*(import\b(?!\s*\()|export\b)/m;

/** Guesses whether code that parses neither as CommonJS nor as an ES module was meant as the latter. Decides which error to show. */
export const hasModuleSyntax = (code: string): boolean => IMPORT_OR_EXPORT.test(code);
