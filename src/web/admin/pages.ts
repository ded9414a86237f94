import type { Viaggio } from '../../domain/content.ts';
import type { AdminPath } from '../../texts/admin/pages.ts';
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
  IconHome,
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
} from '../ui/icons/icons.tsx';
import type { AdminPage } from './page-table.ts';
import type { phrasesPage } from './pages/phrases/page.tsx';

/** A page of a phrase list; `path` selects the list. */
function phrases(icon: AdminPage['icon'], path: Parameters<typeof phrasesPage>[0]): AdminPage {
  return { icon, load: async () => ({ Page: (await import('./pages/phrases/page.tsx')).phrasesPage(path) }) };
}

/** The questions page of a trip. */
function questions(icon: AdminPage['icon'], trip: Viaggio): AdminPage {
  return {
    icon,
    load: async () => ({ Page: (await import('./pages/questions/page.tsx')).questionsPage(trip) }),
  };
}

/** Icon and loader of each page. Its title and its entry in the menu are in `src/texts/admin/pages.ts`. */
export const ADMIN_PAGES: Readonly<Record<AdminPath | '/admin/dashboard', AdminPage>> = {
  '/admin/dashboard': { icon: IconHome, load: () => import('./dashboard/page.tsx') },
  '/admin/serata': { icon: IconCalendarHeart, load: () => import('./pages/evening/page.tsx') },
  '/admin/video': { icon: IconMovie, load: () => import('./pages/video/page.tsx') },
  '/admin/video-button': { icon: IconPlayerPlay, load: () => import('./pages/video-button/page.tsx') },
  '/admin/frasi': phrases(IconQuote, '/admin/frasi'),
  '/admin/frasi-finali': { icon: IconHeartHandshake, load: () => import('./pages/final-phrases/page.tsx') },
  '/admin/intermediate-phrases': phrases(IconHourglass, '/admin/intermediate-phrases'),
  '/admin/second-trip-phrases': phrases(IconBook2, '/admin/second-trip-phrases'),
  '/admin/second-trip-final-phrases': phrases(IconSignature, '/admin/second-trip-final-phrases'),
  '/admin/musica': { icon: IconMusic, load: () => import('./pages/song/page.tsx') },
  '/admin/immagine': { icon: IconPhoto, load: () => import('./pages/trips/first-trip.tsx') },
  '/admin/second-trip-details': {
    icon: IconPlaneInflight,
    load: () => import('./pages/trips/second-trip.tsx'),
  },
  '/admin/checkbox': questions(IconMessages, 1),
  '/admin/second-trip-checkbox': questions(IconHelpHexagon, 2),
  '/admin/token': { icon: IconKey, load: () => import('./pages/tokens/page.tsx') },
  '/admin/sessions': { icon: IconUsers, load: () => import('./pages/sessions/page.tsx') },
  '/admin/logs': { icon: IconListDetails, load: () => import('./pages/logs/page.tsx') },
  '/admin/preview': { icon: IconSparkles, load: () => import('./pages/preview/page.tsx') },
  '/admin/pronta': { icon: IconHeartCheck, load: () => import('./pages/ready/page.tsx') },
  '/admin/telefoni': { icon: IconDeviceMobileCheck, load: () => import('./pages/phones/page.tsx') },
  '/admin/piano-b': { icon: IconLifebuoy, load: () => import('./pages/plan-b/page.tsx') },
  '/admin/rete': { icon: IconWorld, load: () => import('./pages/online/page.tsx') },
  '/admin/notifiche': { icon: IconBell, load: () => import('./pages/notifications/page.tsx') },
  '/admin/accesso': { icon: IconUserShield, load: () => import('./pages/account/page.tsx') },
  '/admin/copia': { icon: IconArchive, load: () => import('./pages/archive/page.tsx') },
  '/admin/cestino': { icon: IconTrash, load: () => import('./pages/bin/page.tsx') },
  '/admin/cancella': { icon: IconEraser, load: () => import('./pages/erase/page.tsx') },
};
