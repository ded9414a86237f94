import {
  IconBell,
  IconBook2,
  IconCalendarHeart,
  IconHeartHandshake,
  IconHelpHexagon,
  IconHourglass,
  IconInfoCircle,
  IconKey,
  IconListDetails,
  IconMessages,
  IconMovie,
  IconMusic,
  IconPhoto,
  IconPlaneInflight,
  IconPlayerPlay,
  IconQuote,
  IconSignature,
  IconSparkles,
  IconTextCaption,
  IconUserShield,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { type AdminPath, adminGroups, adminPageTexts } from '../../texts/admin/pages.ts';

export type GroupId = keyof typeof adminGroups;

/** One page of the administration: the router, the navigation, the dashboard's cards and the tests read it. */
export type AdminPage = {
  path: AdminPath;
  /** Opens the same page (spec 2). */
  otherPath?: '/admin/biglietti';
  title: string;
  description: string;
  icon: TablerIcon;
  group: GroupId;
  load: () => Promise<{ Page: ComponentType }>;
};

function page(
  group: GroupId,
  path: AdminPath,
  icon: TablerIcon,
  load: AdminPage['load'],
  otherPath?: '/admin/biglietti',
): AdminPage {
  return { path, ...adminPageTexts[path], icon, group, load, ...(otherPath && { otherPath }) };
}

export const ADMIN_PAGES: readonly AdminPage[] = [
  page('racconto', '/admin/video', IconMovie, () => import('./pages/video/page.tsx')),
  page('racconto', '/admin/video-button', IconPlayerPlay, () => import('./pages/video-button/page.tsx')),
  page('racconto', '/admin/frasi', IconQuote, () => import('./pages/phrases/page.tsx')),
  page('racconto', '/admin/musica', IconMusic, () => import('./pages/song/page.tsx')),

  page(
    'primo',
    '/admin/immagine',
    IconPhoto,
    () => import('./pages/trip-media/page.tsx'),
    '/admin/biglietti',
  ),
  page(
    'primo',
    '/admin/testi-destinazione',
    IconTextCaption,
    () => import('./pages/destination-texts/page.tsx'),
  ),
  page(
    'primo',
    '/admin/ticket-instruction',
    IconInfoCircle,
    () => import('./pages/ticket-instruction/page.tsx'),
  ),
  page('primo', '/admin/checkbox', IconMessages, () => import('./pages/questions/page.tsx')),
  page('primo', '/admin/frasi-finali', IconHeartHandshake, () => import('./pages/final-phrases/page.tsx')),

  page(
    'secondo',
    '/admin/intermediate-phrases',
    IconHourglass,
    () => import('./pages/intermediate-phrases/page.tsx'),
  ),
  page(
    'secondo',
    '/admin/second-trip-phrases',
    IconBook2,
    () => import('./pages/second-trip-phrases/page.tsx'),
  ),
  page(
    'secondo',
    '/admin/second-trip-details',
    IconPlaneInflight,
    () => import('./pages/second-trip-details/page.tsx'),
  ),
  page(
    'secondo',
    '/admin/second-trip-checkbox',
    IconHelpHexagon,
    () => import('./pages/second-trip-questions/page.tsx'),
  ),
  page(
    'secondo',
    '/admin/second-trip-final-phrases',
    IconSignature,
    () => import('./pages/second-trip-final-phrases/page.tsx'),
  ),

  page('accessi', '/admin/token', IconKey, () => import('./pages/tokens/page.tsx')),
  page('accessi', '/admin/sessions', IconUsers, () => import('./pages/sessions/page.tsx')),
  page('accessi', '/admin/logs', IconListDetails, () => import('./pages/logs/page.tsx')),

  page('controllo', '/admin/preview', IconSparkles, () => import('./pages/preview/page.tsx')),
  page('controllo', '/admin/serata', IconCalendarHeart, () => import('./pages/evening/page.tsx')),
  page('controllo', '/admin/notifiche', IconBell, () => import('./pages/notifications/page.tsx')),
  page('controllo', '/admin/accesso', IconUserShield, () => import('./pages/account/page.tsx')),
];

export type AdminGroup = { id: GroupId; title: string; pages: readonly AdminPage[] };

/** The pages in their groups, in the order they are shown. */
export const ADMIN_GROUPS: readonly AdminGroup[] = groupIds().map((id) => ({
  id,
  title: adminGroups[id],
  pages: ADMIN_PAGES.filter(({ group }) => group === id),
}));

/** The row of a path, or undefined where there is none. */
export function pageAt(path: string): AdminPage | undefined {
  return ADMIN_PAGES.find((row) => row.path === path || row.otherPath === path);
}

function groupIds(): GroupId[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the record's own keys
  return Object.keys(adminGroups) as GroupId[];
}
