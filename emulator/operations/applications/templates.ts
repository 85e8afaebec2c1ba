import { permissionsOfType } from '../../../src/contract/permissions.js';
import type { ApplicationTemplate } from '../../../src/contract/schemas/index.js';
import { problem } from '../../problems/problem.js';
import type { Handlers } from '../context.js';

type Template = Omit<ApplicationTemplate, 'template_type' | 'is_starter'>;

const collect = (container: string): Pick<Template, 'application_type' | 'rules'> => ({
  application_type: 'public',
  rules: [{ priority: 1, container, transform: 'mask', permissions: ['token:create', 'token:update'] }],
});

const use = (container: string): Pick<Template, 'application_type' | 'rules'> => ({
  application_type: 'private',
  rules: [{ priority: 1, container, transform: 'reveal', permissions: ['token:use'] }],
});

const manage = { application_type: 'management', permissions: permissionsOfType('management') } as const;

/** Under the ids and names by which the documentation of the API family links to them. */
const TEMPLATES = [
  { id: '931b306f-6be7-405d-9a8d-1442a99dd2d7', name: 'Full Management Access', ...manage },
  { id: 'db9148c1-a55f-4164-b830-a20ab6d720ae', name: 'Collect PCI Data', ...collect('/pci/') },
  { id: '31efed55-035c-4b49-b1a1-609a728d91ce', name: 'Use PCI Tokens', ...use('/pci/') },
  { id: 'd3ea55c1-4008-4703-9d52-db078ca5e245', name: 'Collect Bank Data', ...collect('/bank/') },
  { id: 'd6d8c64c-1145-4b7f-a4bc-bb5cd3a40128', name: 'Use Bank Tokens', ...use('/bank/') },
  { id: 'da06cf91-caf4-44f4-886a-ab3d71d9ca5f', name: 'Collect PII Data', ...collect('/pii/') },
].map((template: Template) => ({ ...template, template_type: 'official' as const, is_starter: true }));

export const templateHandlers = {
  'applicationTemplates.list': async () => ({ status: 200, body: TEMPLATES }),
  async 'applicationTemplates.get'({ path: { template_id } }) {
    const body = TEMPLATES.find(({ id }) => id === template_id.toLowerCase());
    if (!body) throw problem('notFound', 'There is no template with this id.');
    return { status: 200, body };
  },
} satisfies Partial<Handlers>;
