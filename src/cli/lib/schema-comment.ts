/** The first line of a manifest: editors take its schema from the installed package. */
export const SCHEMA_COMMENT =
  '# yaml-language-server: $schema=./node_modules/tokenctl/docs/manifest.schema.json';
