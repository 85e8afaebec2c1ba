import { type Permission, TRANSFORMS, type Transform, withIncluded } from '../../../contract/permissions.js';
import type { Content } from './content.js';

/** What an application may do before and after a plan is applied; undefined while it does not exist. */
export interface ApplicationChange {
  before: Content | undefined;
  after: Content | undefined;
}

/** Finds what a plan makes of the application that an object refers to. */
export type ApplicationChanges = ReadonlyMap<string, ApplicationChange>;

/** How permissions without rules show data; decided, Containers and access controls. */
const implicitTransform = (permission: string): Transform => (permission === 'token:use' ? 'reveal' : 'mask');

interface Grant {
  container: string;
  transform: Transform;
  permissions: readonly Permission[];
}

/** Lists what an application may do, the first grant that covers a container and holds a permission decides. */
function listGrants({ permissions = [], rules }: Partial<Content> = {}): Grant[] {
  if (rules)
    return [...rules]
      .sort((one, other) => one.priority - other.priority)
      .map((rule) => ({ ...rule, container: rule.container.toLowerCase() }));
  return permissions.map((permission) => ({
    container: '/',
    transform: implicitTransform(permission),
    permissions: [permission],
  }));
}

/** Returns how a permission shows data of a container: an index of TRANSFORMS, or -1 if it is not granted. */
function rankAccess(grants: readonly Grant[], container: string, permission: Permission): number {
  const grant = grants.find(
    (one) => container.startsWith(one.container) && withIncluded(one.permissions).includes(permission),
  );
  return grant ? TRANSFORMS.indexOf(grant.transform) : -1;
}

const describeRank = (rank: number): string => (rank < 0 ? 'no access' : (TRANSFORMS[rank] ?? ''));

/** Permissions that do not concern tokens have no container and no transform. */
const concernsTokens = (permission: string): boolean => permission.startsWith('token:');

/** Something that an application may do after a change and could not do before. The numbers are indexes of TRANSFORMS. */
interface Gain {
  permission: string;
  container: string;
  /** -1 for no access. */
  before: number;
  after: number;
}

function describeGain({ permission, container, before, after }: Gain): string {
  if (!concernsTokens(permission)) return `grants ${permission}`;
  const where = container === '/' ? 'all containers' : container;
  if (before < 0) return `grants ${permission} on ${where} (${describeRank(after)})`;
  return `${permission} on ${where} changes from ${describeRank(before)} to ${describeRank(after)}`;
}

function listGains(before: Content | undefined, after: Content): Gain[] {
  const [old, now] = [listGrants(before), listGrants(after)];
  const all = [...old, ...now];
  const containers = [...new Set(['/', ...all.map(({ container }) => container)])].sort();
  const permissions = [...new Set(all.flatMap((grant) => grant.permissions))];
  return permissions.flatMap((permission) => {
    const gains = containers
      .map((container) => ({
        permission,
        container,
        before: rankAccess(old, container, permission),
        after: rankAccess(now, container, permission),
      }))
      .filter((access) => access.after > access.before);
    // A gain on a container is implied by the same gain on one that contains it.
    return gains.filter(
      (gain) =>
        !gains.some(
          (other) =>
            other !== gain &&
            gain.container.startsWith(other.container) &&
            other.before === gain.before &&
            other.after === gain.after,
        ),
    );
  });
}

/** Describes what an application gains by a change: more permissions, a wider container, a transform that shows more. */
export function describeGainedAccess(before: Content, after: Content): string[] {
  return listGains(before, after).map(describeGain);
}

/** With these an application gives itself, and others, whatever it lacks. */
const MANAGES_APPLICATIONS: ReadonlySet<string> = new Set([
  'application:create',
  'application:update',
  'application:delete',
]);

/** With these an application gets data that is already stored. */
const READS_TOKENS: ReadonlySet<string> = new Set(['token:read', 'token:search', 'token:use']);

const isManaging = ({ permission }: Gain): boolean => MANAGES_APPLICATIONS.has(permission);

const isRevealing = ({ permission, after }: Gain): boolean =>
  READS_TOKENS.has(permission) && TRANSFORMS[after] === 'reveal';

/** What a new object needs a question for: to manage applications, or to reveal all data. It is created to do something. */
function describeUnlimitedAccess(content: Content): string[] {
  const isUnlimited = (gain: Gain) =>
    isManaging(gain) || (isRevealing(gain) && gain.container === '/' && content.rules !== undefined);
  return listGains(undefined, content).filter(isUnlimited).map(describeGain);
}

/** Describes what an existing object gets with its first application, if that reveals data or manages applications. */
const describeFirstAccess = (content: Content): string[] =>
  listGains(undefined, content)
    .filter((gain) => isManaging(gain) || isRevealing(gain))
    .map(describeGain);

/** Describes what the code of a reactor or proxy may do after a change because it runs as another application. */
function describeGainedIdentity(
  before: Content | undefined,
  { application }: Content,
  changes: ApplicationChanges,
): string[] {
  const now = application ? changes.get(application)?.after : undefined;
  if (!now || before?.application === application) return [];
  const old = before?.application ? changes.get(before.application)?.before : undefined;
  const describe = before ? describeFirstAccess : describeUnlimitedAccess;
  const gains = old ? describeGainedAccess(old, now) : describe(now);
  return gains.map((gain) => `runs as the application ${now.name}: ${gain}`);
}

/** Returns scheme, host and port of a URL; the whole of what is not a URL. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

function describeRedirection(before: Content | undefined, after: Content): string[] {
  if (before?.destination_url === undefined || after.destination_url === undefined) return [];
  const [old, now] = [originOf(before.destination_url), originOf(after.destination_url)];
  return old === now ? [] : [`sends requests to ${now} instead of ${old}`];
}

/** Describes what becomes possible, one sentence each: who can read or use what data, or send it where. */
export function describeWeakenings(
  before: Content | undefined,
  after: Content,
  applications: ApplicationChanges,
): string[] {
  if (after.type !== undefined)
    return before ? describeGainedAccess(before, after) : describeUnlimitedAccess(after);
  const isOpened = before?.require_auth !== false && after.require_auth === false;
  const { settings: old } = before ?? {};
  const isUntraced = old?.fingerprint_tokens === 'true' && after.settings?.fingerprint_tokens === 'false';
  return [
    ...(isOpened ? ['accepts requests without a key'] : []),
    ...(isUntraced ? ['new tokens get no fingerprint'] : []),
    ...describeRedirection(before, after),
    ...describeGainedIdentity(before, after, applications),
  ];
}
