import { useEffect, useState } from 'react';
import { type Site, site } from '../../api/visit.ts';

/** What the server says about the access screen; undefined until it has. Asked again when the page comes back from the cache. */
export function useSite(): Site | undefined {
  const [state, setState] = useState<Site>();
  useEffect(() => {
    let wanted = true;
    const ask = async () => {
      const reply = await site();
      if (wanted && reply.ok) setState(reply.value);
      if (!reply.ok) console.warn(reply);
    };
    const shown = (event: PageTransitionEvent) => event.persisted && void ask();
    void ask();
    window.addEventListener('pageshow', shown);
    return () => {
      wanted = false;
      window.removeEventListener('pageshow', shown);
    };
  }, []);
  return state;
}
