import packageJson from '../../../package.json' with { type: 'json' };

/** The `User-Agent` of every request that the CLI sends to a service. */
export const USER_AGENT = `tokenctl/${packageJson.version}`;
