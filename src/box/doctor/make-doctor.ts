import type { DoctorBox } from './doctor.ts';

/** The doctor has rooms, the first ones of the box, and asks other subjects what they find. */
export function makeDoctor(box: DoctorBox): void {
  box.subjects.unshift({
    async rooms(of) {
      const { doctorRoom, reportRoom } = await import('./room.ts');
      const here = { ...box, ...of };
      return [doctorRoom(here), reportRoom(here)];
    },
  });
}
