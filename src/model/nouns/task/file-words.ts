import { counterparts, type FileWords, remarks, responsible, spoken } from '../../declaration/file-words.ts'

/** The words of other programs and people for the fields of tasks. */
export const taskFileWords: FileWords = {
  prefixes: ['Task', 'Activity', 'Card'],
  headings: {
    reference: spoken(
      'Reference, Ref, Task ID, Activity ID, Card ID, Record ID, External ID, ID, Nummer, Nr, Number, No, Numéro, Número',
    ),
    title: spoken(
      'Task, Task name, Card name, Name, Subject, To-do, To do, Content, Activity, What, Aufgabe, Titel, Betreff, Aktivität, Was, Tâche, Titre, Objet, Tarea, Asunto, Actividad',
    ),
    dueOn: spoken(
      'Due, Due date, Deadline, Date due, Fällig, Fällig am, Fälligkeit, Fälligkeitsdatum, Termin, Bis, Échéance, Date limite, Date d’échéance, Vencimiento, Fecha límite, Fecha de vencimiento',
    ),
    dealId: spoken('Deal, Deal name, Opportunity, Geschäft, Projekt, Verkaufschance, Affaire, Negocio, Oportunidad'),
    customerId: counterparts,
    assignee: responsible,
    note: [...spoken('Card description, Task description, Full comments'), ...remarks],
    status: spoken('Done, Completed, Due complete, Task status, Erledigt, Zustand, Statut, Fait, Estado, Hecho'),
  },
  values: {
    status: {
      open: [
        'no',
        'false',
        '0',
        'n',
        'nein',
        'falsch',
        'non',
        'faux',
        'falso',
        'Not started',
        'In progress',
        'To do',
        'Nicht begonnen',
        'In Bearbeitung',
        'Pendiente',
        'À faire',
      ],
      done: [
        'yes',
        'true',
        '1',
        'y',
        'j',
        'wahr',
        'oui',
        'vrai',
        'sí',
        'verdadero',
        '✓',
        'Completed',
        'Finished',
        'Erledigt',
        'Fertig',
        'x',
        'Terminé',
        'Terminada',
      ],
    },
  },
  presets: {
    status: Object.fromEntries(
      spoken('Waiting, Waiting on someone else, Deferred, Planned, Wartend, Zurückgestellt, Geplant').map((word) => [
        word,
        { status: 'open' },
      ]),
    ),
  },
}
