import { type RefObject, useEffect, useRef, useState } from 'react';
import { DRESSES } from '../../domain/configuration.ts';
import styles from './gallery.module.css';
import { GROUPS, type Scene } from './scenes.tsx';
import type { Theme } from './theme.ts';

/** A third dress, only in the gallery (bosco.css). */
const TEST_DRESS = 'bosco';

/** Shows every scene of the visitor, each in its frame; scenes that follow the phone's theme appear in both themes. */
export function Gallery({ dress }: { dress: string }) {
  return (
    <main className={styles.gallery}>
      <h1>Scenes</h1>
      <nav className={styles.dresses} aria-label="Dress">
        {[...DRESSES, TEST_DRESS].map((name) => (
          <a key={name} href={`?dress=${name}`} aria-current={name === dress}>
            {name}
          </a>
        ))}
      </nav>
      {GROUPS.map(({ name, scenes }) => (
        <section key={name}>
          <h2>{name}</h2>
          <div className={styles.row}>
            {scenes.flatMap((scene) =>
              themesOf(scene).map((theme) => (
                <Phone
                  key={`${scene.name} ${theme}`}
                  id={`${name}/${scene.name}`}
                  theme={theme}
                  dress={dress}
                />
              )),
            )}
          </div>
        </section>
      ))}
    </main>
  );
}

/** The evening itself is dark in both themes. */
const themesOf = ({ themed }: Scene): Theme[] => (themed ? ['light', 'dark'] : ['dark']);

function Phone({ id, theme, dress }: { id: string; theme: Theme; dress: string }) {
  const phone = useRef<HTMLDivElement>(null);
  const inView = useInView(phone);
  const address = `/dev/scene?scene=${encodeURIComponent(id)}&theme=${theme}&dress=${dress}`;
  return (
    <figure className={styles.scene}>
      <div ref={phone} className={styles.phone}>
        {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
        {inView && <iframe title={`${id}, ${theme}`} src={address} />}
      </div>
      <figcaption>
        <a href={address}>{id.split('/')[1]}</a> {theme === 'light' && '(light)'}
      </figcaption>
    </figure>
  );
}

/** Returns true while the element is in view: a hundred frames at once are too many, so those out of view are not loaded. */
function useInView(element: RefObject<Element | null>): boolean {
  const [inView, setInView] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting === true));
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return inView;
}
