import type { ComponentType } from 'preact';
import { NOUNS, type Noun, RESOURCES } from '../../../../../src/contract/resources.js';
import type { ViewProps } from '../../route.js';
import { applicationPage } from './application.js';
import { ResourceDetail, ResourceEditor } from './detail.js';
import { ResourceList } from './list.js';
import { proxyPage } from './proxy.js';
import { reactorPage } from './reactor.js';
import type { ResourcePage } from './resource-page.js';
import { webhookPage } from './webhook.js';

/** What is special about resources. */
const SPECIAL: { readonly [N in Noun]?: ResourcePage } = {
  reactor: reactorPage,
  proxy: proxyPage,
  application: applicationPage,
  webhook: webhookPage,
};

/** The views of the resources, by route: a list, a page for each object and an editor. */
export const resourceViews: readonly (readonly [pattern: string, component: ComponentType<ViewProps>])[] =
  NOUNS.flatMap((noun) => {
    const page = SPECIAL[noun] ?? { row: RESOURCES[noun] };
    const { collection } = page.row;
    const List = (props: ViewProps) => <ResourceList page={page} {...props} />;
    const Editor = (props: ViewProps) => <ResourceEditor page={page} {...props} />;
    const Detail = (props: ViewProps) => <ResourceDetail page={page} {...props} />;
    return [
      [collection, List],
      [`${collection}/new`, Editor],
      [`${collection}/{id}`, Detail],
      [`${collection}/{id}/edit`, Editor],
    ] as const;
  });
