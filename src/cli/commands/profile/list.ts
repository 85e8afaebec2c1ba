import type { Context } from '../../command.js';
import { readUserConfig } from '../../config/user-config.js';
import { toPage } from '../shared/batch.js';
import { profileSummary } from './profile.js';

export async function run(_options: object, { output, settings }: Context): Promise<void> {
  const { profiles, current } = await readUserConfig(settings.configDir);
  const list = Object.entries(profiles).map(([name, profile]) => profileSummary(name, profile, current));
  await output.result(toPage(list), {
    redaction: 'plain',
    columns: [
      { title: '', field: 'current', show: (isCurrent) => (isCurrent ? '*' : ''), importance: 3 },
      { title: 'NAME', field: 'name', importance: 2 },
      { title: 'BASE URL', field: 'base_url', importance: 1 },
      {
        title: 'PROTECTED',
        field: 'protected',
        show: (isProtected) => (isProtected ? 'yes' : 'no'),
        importance: 1,
      },
      { title: 'KEYS', field: 'keys', show: (keys) => (keys as string[]).join(' ') },
    ],
    empty: 'No profiles. Add one: tokenctl profile add NAME --base-url URL',
  });
}
