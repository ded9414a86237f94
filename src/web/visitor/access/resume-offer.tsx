import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { accessTexts } from '../../../texts/access.ts';
import { prepareExperience } from '../../experience-chunk.ts';
import { Button } from '../../ui/button.tsx';
import { enterTap } from './enter-tap.ts';
import styles from './page.module.css';

/** A visit of this browser is unfinished: one tap takes it up again, without the code. */
export function ResumeOffer() {
  const navigate = useNavigate();
  useEffect(prepareExperience, []);
  const taken = () => {
    enterTap();
    void navigate('/experience', { replace: true });
  };
  return (
    <div className={styles.resume}>
      <p className={styles.welcome}>{accessTexts.welcomeBack}</p>
      <Button wide onClick={taken}>
        {accessTexts.resume}
      </Button>
      <p className={styles.or}>{accessTexts.or}</p>
    </div>
  );
}
