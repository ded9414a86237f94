import {
  IconArchive,
  IconBell,
  IconBook2,
  IconCalendarHeart,
  IconDeviceMobileCheck,
  IconEraser,
  IconHeartCheck,
  IconHeartHandshake,
  IconHelpHexagon,
  IconHourglass,
  IconKey,
  IconLifebuoy,
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
  IconTrash,
  IconUserShield,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react';
import type { Viaggio } from '../../domain/content.ts';
import { keysOf } from '../../domain/records.ts';
import { adminGroups, adminPageTexts } from '../../texts/admin/pages.ts';
import type { AdminGroup, AdminPage, GroupId } from './page-table.ts';
import type { phrasesPage } from './pages/phrases/page.tsx';

type PhrasesPath = Parameters<typeof phrasesPage>[0];

function page(
  group: GroupId,
  path: AdminPage['path'],
  icon: AdminPage['icon'],
  load: AdminPage['load'],
): AdminPage {
  return { path, ...adminPageTexts[path], icon, group, load };
}

/** A page of a phrase list; `path` selects the list. */
function phrases(group: GroupId, path: PhrasesPath, icon: AdminPage['icon']): AdminPage {
  const load = async () => ({ Page: (await import('./pages/phrases/page.tsx')).phrasesPage(path) });
  return page(group, path, icon, load);
}

/** The questions page of a trip. */
function questions(group: GroupId, path: AdminPage['path'], icon: AdminPage['icon'], viaggio: Viaggio) {
  const load = async () => ({ Page: (await import('./pages/questions/page.tsx')).questionsPage(viaggio) });
  return page(group, path, icon, load);
}

export const ADMIN_PAGES: readonly AdminPage[] = [
  page('racconto', '/admin/video', IconMovie, () => import('./pages/video/page.tsx')),
  page('racconto', '/admin/video-button', IconPlayerPlay, () => import('./pages/video-button/page.tsx')),
  phrases('racconto', '/admin/frasi', IconQuote),
  page('racconto', '/admin/musica', IconMusic, () => import('./pages/song/page.tsx')),

  page('primo', '/admin/immagine', IconPhoto, () => import('./pages/destination/page.tsx')),
  questions('primo', '/admin/checkbox', IconMessages, 1),
  page('primo', '/admin/frasi-finali', IconHeartHandshake, () => import('./pages/final-phrases/page.tsx')),

  phrases('secondo', '/admin/intermediate-phrases', IconHourglass),
  phrases('secondo', '/admin/second-trip-phrases', IconBook2),
  page(
    'secondo',
    '/admin/second-trip-details',
    IconPlaneInflight,
    () => import('./pages/second-trip-details/page.tsx'),
  ),
  questions('secondo', '/admin/second-trip-checkbox', IconHelpHexagon, 2),
  phrases('secondo', '/admin/second-trip-final-phrases', IconSignature),

  page('accessi', '/admin/token', IconKey, () => import('./pages/tokens/page.tsx')),
  page('accessi', '/admin/sessions', IconUsers, () => import('./pages/sessions/page.tsx')),
  page('accessi', '/admin/logs', IconListDetails, () => import('./pages/logs/page.tsx')),

  page('controllo', '/admin/preview', IconSparkles, () => import('./pages/preview/page.tsx')),
  page('controllo', '/admin/pronta', IconHeartCheck, () => import('./pages/ready/page.tsx')),
  page('controllo', '/admin/serata', IconCalendarHeart, () => import('./pages/evening/page.tsx')),
  page('controllo', '/admin/rete', IconWorld, () => import('./pages/online/page.tsx')),
  page('controllo', '/admin/telefoni', IconDeviceMobileCheck, () => import('./pages/phones/page.tsx')),
  page('controllo', '/admin/piano-b', IconLifebuoy, () => import('./pages/plan-b/page.tsx')),
  page('controllo', '/admin/notifiche', IconBell, () => import('./pages/notifications/page.tsx')),
  page('controllo', '/admin/cestino', IconTrash, () => import('./pages/bin/page.tsx')),
  page('controllo', '/admin/accesso', IconUserShield, () => import('./pages/account/page.tsx')),
  page('controllo', '/admin/copia', IconArchive, () => import('./pages/archive/page.tsx')),
  page('controllo', '/admin/cancella', IconEraser, () => import('./pages/erase/page.tsx')),
];

/** The pages in their groups, in display order. */
export const ADMIN_GROUPS: readonly AdminGroup[] = keysOf(adminGroups).map((id) => ({
  id,
  title: adminGroups[id],
  pages: ADMIN_PAGES.filter(({ group }) => group === id),
}));
