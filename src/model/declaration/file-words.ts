/**
 * The words of files for the fields of a resource and the values of choices, besides their names and titles. English words
 * that are texts of ours count in every language. The likeliest come first.
 */
export interface FileWords {
  readonly headings: { readonly [field: string]: readonly string[] }
  /** Columns that together are one text, in the order in which it is written: a first and a last name. */
  readonly parts?: { readonly [field: string]: readonly (readonly string[])[] }
  readonly values?: { readonly [field: string]: { readonly [value: string]: readonly string[] } }
  /** The words that other programs put before every heading, as in `Deal - Title`. */
  readonly prefixes?: readonly string[]
  /** The most likely meanings of words of other programs, by the field of their column: shown as answers to change. */
  readonly presets?: { readonly [field: string]: { readonly [word: string]: PresetMeaning } }
  /** The fields whose words may also stand in the column of another field, such as a status among stages. */
  readonly among?: { readonly [field: string]: string }
  /** The fields that a default fills only in rows that have a value of another field. */
  readonly goesWith?: { readonly [field: string]: readonly [field: string, value: string] }
}

/** The values of fields that a word stands for. */
export type PresetMeaning = { readonly [field: string]: string }

/** A list of words, written with commas. */
export const spoken = (words: string): readonly string[] => words.split(', ')

/** A remark, as every file may have one. */
export const remarks = spoken(
  'Description, Notes, Note, Remarks, Comments, Comment, Details, Bemerkung, Bemerkungen, Beschreibung, Kommentar, Notiz, Notizen, Anmerkung, Anmerkungen, Remarque, Remarques, Commentaire, Commentaires, Observaciones, Comentario, Comentarios, Notas, Nota',
)
/** The person who is responsible. */
export const responsible = spoken(
  'Owner, Assigned to, Assignee, Responsible, Salesperson, Sales rep, Account manager, Verantwortlich, Verantwortlicher, Zuständig, Zuständige Person, Betreuer, Bearbeiter, Verkäufer, Vertriebler, Mitarbeiter, Besitzer, Propriétaire, Responsable, Commercial, Vendeur, Assigné à, Propietario, Vendedor, Comercial, Asignado a',
)
/** The person that something is about. */
export const counterparts = spoken(
  'Customer, Customer name, Client, Kunde, Kundenname, Cliente, Contact person, Contact, Contact name, Associated contact, Ansprechpartner, Ansprechpartnerin, Kontakt, Kontaktperson, Person, Contacto, Interlocuteur, Billing name, Customer email, Contact email, Email, E-Mail, Account name, Account, Organization, Organisation, Associated company, Company, Company name, Firma, Firmenname, Société, Entreprise, Empresa, Organización',
)
