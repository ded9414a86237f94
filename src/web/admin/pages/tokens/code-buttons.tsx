import { IconCopy, IconMessage2Heart, IconTicket, type TablerIcon } from '@tabler/icons-react';
import type { TokenRecord } from '../../../../contract/records.ts';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';
import { copyText } from '../../components/copy-text.tsx';
import { opensElsewhere } from '../../site-address.ts';
import { openCard } from './card/card-dialog.tsx';

type CodeButton = { label: string; icon: TablerIcon; run: (token: TokenRecord, site: URL) => void };

/** The three ways in which a code reaches who it is for. */
export const CODE_BUTTONS: readonly CodeButton[] = [
  {
    label: tokensTexts.copy,
    icon: IconCopy,
    run: ({ token }) => void copyText(token, tokensTexts.copied),
  },
  {
    label: tokensTexts.copyMessage,
    icon: IconMessage2Heart,
    run: ({ token }, site) =>
      void copyText(
        tokensTexts.message(site.href, token),
        tokensTexts.messageCopied,
        opensElsewhere(site) ? undefined : tokensTexts.messageLocal(site.host),
      ),
  },
  { label: tokensTexts.card.action, icon: IconTicket, run: openCard },
];
