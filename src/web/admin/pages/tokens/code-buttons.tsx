import { IconCopy, IconMessage2Heart, IconShare, IconTicket, type TablerIcon } from '@tabler/icons-react';
import type { TokenRecord } from '../../../../contract/records.ts';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';
import { copyText } from '../../components/copy-text.tsx';
import { useRecipientName } from '../../components/use-her-name.ts';
import { opensElsewhere, useSiteAddress } from '../../site-address.ts';
import { openCard } from './card/card-dialog.tsx';
import { openShare } from './share-dialog.tsx';

type CodeButton = { label: string; icon: TablerIcon; run: () => void };

/** Returns the ways to hand over a code. */
export function useCodeButtons(token: TokenRecord): CodeButton[] {
  const site = useSiteAddress();
  const { name } = useRecipientName();
  const message = tokensTexts.message({ name, url: site.href, token: token.token });
  const caution = opensElsewhere(site) ? undefined : tokensTexts.messageLocal(site.host);
  return [
    { label: tokensTexts.share.action, icon: IconShare, run: () => openShare(token, site) },
    {
      label: tokensTexts.copy,
      icon: IconCopy,
      run: () => void copyText(token.token, tokensTexts.copied),
    },
    {
      label: tokensTexts.copyMessage,
      icon: IconMessage2Heart,
      run: () => void copyText(message, tokensTexts.messageCopied, caution),
    },
    { label: tokensTexts.card.action, icon: IconTicket, run: () => openCard(token, site) },
  ];
}
