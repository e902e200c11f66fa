import { counterparts, type FileWords, remarks, responsible, spoken } from '../../declaration/file-words.ts'
import { dealFilePresets } from './file-presets.ts'

/** The words of other programs and people for the fields of deals. */
export const dealFileWords: FileWords = {
  prefixes: ['Deal', 'Opportunity'],
  headings: {
    reference: spoken(
      'Reference, Ref, Deal ID, Order ID, Order number, Order no, Opportunity ID, Record ID, External ID, ID, Auftragsnr, Auftragsnummer, Auftrags-Nr, Bestellnummer, Bestellnr, Angebotsnummer, Angebotsnr, Projektnummer, Vorgangsnummer, Nummer, Nr, Number, No, Numéro, N°, N° de commande, Numéro de commande, Número, Nº, Nº de pedido, Número de pedido',
    ),
    name: spoken(
      'Deal, Deal name, Deal title, Title, Subject, Opportunity, Opportunity name, Project, Project name, Titel, Geschäft, Verkaufschance, Projekt, Projektname, Bezeichnung, Betreff, Auftrag, Vorgang, Titre, Affaire, Objet, Intitulé, Projet, Título, Oportunidad, Negocio, Proyecto, Asunto',
    ),
    price: spoken(
      'Amount, Value, Deal value, Total, Order total, Total amount, Revenue, Betrag, Summe, Wert, Auftragswert, Volumen, Umsatz, Nettobetrag, Gesamtbetrag, Gesamtpreis, Gesamtpreis netto, Preis netto, Netto, Gesamt, Deal amount, Budget, Montant, Prix total, Precio total, Valeur, Montant total, Importe, Valor, Monto, Importe total',
    ),
    currency: spoken(
      'Currency code, Currency of value, Deal currency, Deal currency code, Amount currency, Währungscode, Whg, Devise, Monnaie, Moneda, Divisa',
    ),
    customerId: counterparts,
    owner: [...spoken('Deal owner, Opportunity owner, Record owner'), ...responsible],
    description: [...spoken('Deal description, Beschreibung des Deals'), ...remarks],
    stage: spoken('Deal stage, Pipeline stage, Sales stage, Phase, Verkaufsphase, Stufe, Étape, Etapa, Fase'),
    completionDate: spoken(
      'Close date, Close, Closing, Expected close date, Expected close, Expected closing, Closing date, Estimated close date, Due date, Due, Abschluss, Abschlussdatum, Abschlusstermin, Abschluss am, Abschluss geplant, Erwartetes Abschlussdatum, Voraussichtliches Abschlussdatum, Geplantes Abschlussdatum, Erwarteter Abschluss, Geplanter Abschluss, Voraussichtlicher Abschluss, Fällig, Fällig am, Date de clôture, Date de clôture prévue, Clôture prévue, Clôture, Échéance, Fecha de cierre, Fecha prevista de cierre, Fecha de cierre prevista, Fecha estimada de cierre, Cierre, Cierre previsto, Vencimiento',
    ),
    status: spoken('Deal status, Won/Lost, Zustand, Statut, Estado'),
    completedOn: spoken('Won time, Won on, Won date, Gewonnen am'),
    closingReason: spoken(
      'Lost reason, Loss reason, Reason lost, Closed lost reason, Verlustgrund, Grund des Verlusts, Verloren weil, Motif de perte, Motivo de pérdida',
    ),
  },
  values: {
    status: {
      open: ['In progress', 'In Bearbeitung'],
      completed: ['Won', 'Closed won'],
      cancelled: ['Lost', 'Closed lost'],
    },
  },
  presets: dealFilePresets,
  among: { stage: 'status' },
  goesWith: {
    closingReason: ['status', 'cancelled'],
    amercement: ['status', 'cancelled'],
    completedOn: ['status', 'completed'],
    acceptedBy: ['status', 'completed'],
  },
}
